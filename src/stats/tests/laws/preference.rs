//! Win rates, strengths, order, cycles and lengths.

use proptest::prelude::*;

use crate::stats::preference::{
    Comparison, Lengths, bradley_terry, davidson, decided, length_controlled, ranks, swaps, triads,
};

/// Comparisons among so many contenders.
fn comparisons(contenders: usize) -> impl Strategy<Value = Vec<Comparison>> {
    let share = prop_oneof![Just(1.0), Just(0.5), Just(0.0)];
    let one = (0..contenders, 1..contenders, share).prop_map(move |(contender, step, share)| {
        Comparison {
            contender,
            opponent: (contender + step) % contenders,
            share,
        }
    });
    prop::collection::vec(one, 1..80)
}

/// The same seen from the other side.
fn turned(comparison: &Comparison) -> Comparison {
    Comparison {
        contender: comparison.opponent,
        opponent: comparison.contender,
        share: 1.0 - comparison.share,
    }
}

proptest! {
    #[test]
    fn strengths_follow_names_and_do_not_see_sides_or_order(all in comparisons(4), rotate in 0_usize..4) {
        let found = bradley_terry(4, &all, None);
        let mut other: Vec<Comparison> = all.iter().map(turned).collect();
        other.reverse();
        let renamed = |name: usize| (name + rotate) % 4;
        for comparison in &mut other {
            comparison.contender = renamed(comparison.contender);
            comparison.opponent = renamed(comparison.opponent);
        }
        match (found, bradley_terry(4, &other, None)) {
            (Ok(found), Ok(other)) => {
                prop_assert!(found.strengths.iter().sum::<f64>().abs() < 1e-9);
                for name in 0..4 {
                    prop_assert!((found.strengths[name] - other.strengths[renamed(name)]).abs() < 1e-7);
                    prop_assert!((found.se(name) - other.se(renamed(name))).abs() < 1e-7);
                }
                // At the top of the likelihood each wins as often as its strength says.
                for name in 0..4 {
                    let gap: f64 = all.iter().map(|it| {
                        let p = 1.0 / (1.0 + (found.strengths[it.opponent] - found.strengths[it.contender]).exp());
                        let sign = f64::from(u8::from(it.contender == name)) - f64::from(u8::from(it.opponent == name));
                        sign * (it.share - p)
                    }).sum();
                    prop_assert!(gap.abs() < 1e-6, "{gap}");
                }
            }
            (found, other) => prop_assert_eq!(found.is_ok(), other.is_ok()),
        }
    }

    #[test]
    fn two_contenders_are_apart_by_the_log_odds_of_a_win(wins in 1_u32..200, losses in 1_u32..200) {
        let one = |share| Comparison { contender: 0, opponent: 1, share };
        let mut all = vec![one(1.0); wins as usize];
        all.resize((wins + losses) as usize, one(0.0));
        let found = bradley_terry(2, &all, None).unwrap();
        let (wins, losses) = (f64::from(wins), f64::from(losses));
        prop_assert!((found.strengths[0] - found.strengths[1] - (wins / losses).ln()).abs() < 1e-8);
        prop_assert!((found.se_difference(0, 1) - (1.0 / wins + 1.0 / losses).sqrt()).abs() < 1e-8);
        // Each comparison its own cluster: the sandwich has the factor n/(n - 1).
        let clusters: Vec<usize> = (0..all.len()).collect();
        let robust = bradley_terry(2, &all, Some(&clusters)).unwrap();
        let n = wins + losses;
        prop_assert!((robust.se_difference(0, 1) / found.se_difference(0, 1) - (n / (n - 1.0)).sqrt()).abs() < 1e-7);
    }

    #[test]
    fn ranks_hold_their_rank_and_are_the_same_for_every_order_of_rows(all in comparisons(3), seed in any::<u64>()) {
        if let Ok(found) = bradley_terry(3, &all, None) {
            let one = ranks(&found.strengths, &all, None, 40, seed, 0.99);
            let mut other = all.clone();
            other.reverse();
            prop_assert_eq!(&one, &ranks(&found.strengths, &other, None, 40, seed, 0.99));
            for [low, high] in one.intervals.iter().flatten() {
                prop_assert!(1 <= *low && low <= high && *high <= 3);
            }
        }
    }

    #[test]
    fn davidson_does_not_see_sides_and_expects_as_many_ties_as_there_are(all in comparisons(3)) {
        let turned: Vec<Comparison> = all.iter().map(turned).collect();
        match (davidson(3, &all), davidson(3, &turned)) {
            (Ok(found), Ok(other)) => {
                prop_assert!((found.log_nu - other.log_nu).abs() < 1e-7);
                let expected: f64 = all.iter().map(|it| {
                    let half = (found.strengths[it.contender] - found.strengths[it.opponent]) / 2.0;
                    let tie = found.log_nu.exp();
                    tie / (tie + half.exp() + (-half).exp())
                }).sum();
                let ties = all.iter().filter(|it| (it.share - 0.5).abs() < 0.1).count();
                prop_assert!((expected - ties as f64).abs() < 1e-6);
            }
            (found, other) => prop_assert_eq!(found.is_ok(), other.is_ok()),
        }
    }

    #[test]
    fn cyclic_triples_are_those_that_one_counts(all in comparisons(5)) {
        let found = triads(5, &all).unwrap();
        let ahead = |one: usize, other: usize| {
            let of = |it: &Comparison| {
                let sign = (it.share - 0.5).partial_cmp(&0.0).map_or(0, |order| order as i32);
                match (it.contender, it.opponent) {
                    pair if pair == (one, other) => sign,
                    pair if pair == (other, one) => -sign,
                    _ => 0,
                }
            };
            all.iter().map(of).sum::<i32>() > 0
        };
        let (mut cyclic, mut decided) = (0, 0);
        for a in 0..5 { for b in 0..5 { for c in 0..5 {
            if a < b && b < c {
                let cycle = |x, y, z| ahead(x, y) && ahead(y, z) && ahead(z, x);
                cyclic += usize::from(cycle(a, b, c) || cycle(a, c, b));
                let one_ahead = |x, y| ahead(x, y) || ahead(y, x);
                decided += usize::from(one_ahead(a, b) && one_ahead(b, c) && one_ahead(a, c));
            }
        } } }
        prop_assert_eq!((found.cyclic, found.decided, found.decided + found.undecided), (cyclic, decided, 10));
        if let Ok(zeta) = found.zeta {
            prop_assert!((0.0..=1.0).contains(&zeta));
        }
    }

    #[test]
    fn counts_of_a_win_rate_mirror_its_sides(shares in prop::collection::vec(prop_oneof![Just(0.0), Just(0.5), Just(1.0), 0.0..1.0_f64], 0..60)) {
        let one = decided(shares.iter().copied(), 0.95).unwrap();
        let other = decided(shares.iter().map(|share| 1.0 - share), 0.95).unwrap();
        prop_assert_eq!((one.wins, one.losses, one.ties), (other.losses, other.wins, other.ties));
        prop_assert_eq!(&one.p, &other.p);
        if let (Ok(rate), Ok(ends)) = (&one.rate, &one.interval) {
            prop_assert!(ends.low <= *rate && *rate <= ends.high);
        }
        let both = shares.chunks_exact(2).map(|pair| [pair[0], pair[1]]);
        let swaps = swaps(both);
        prop_assert_eq!(swaps.pairs, swaps.consistent + swaps.flips + swaps.partial);
        prop_assert_eq!(swaps.flips, swaps.first_both + swaps.second_both);
    }

    #[test]
    fn a_length_controlled_rate_mirrors_its_sides(rows in prop::collection::vec((prop_oneof![Just(0.0), Just(0.5), Just(1.0)], -500.0..500.0_f64), 2..60)) {
        let of = |sign: f64| {
            let row = |(share, longer): &(f64, f64)| Lengths {
                share: 0.5 + sign * (share - 0.5),
                longer: sign * longer,
                cluster: 0,
            };
            length_controlled(&rows.iter().map(row).collect::<Vec<_>>(), false).unwrap()
        };
        match (of(1.0), of(-1.0)) {
            (Ok(one), Ok(other)) => {
                prop_assert!((one.rate() + other.rate() - 1.0).abs() < 1e-7);
                prop_assert!((one.slope - other.slope).abs() < 1e-6 * one.slope.abs().max(1.0));
                prop_assert!((0.0..=1.0).contains(&one.rate()));
            }
            (one, other) => prop_assert_eq!(one.is_ok(), other.is_ok()),
        }
    }
}
