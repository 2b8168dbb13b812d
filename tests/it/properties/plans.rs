//! Plans of random specs.

use std::collections::{BTreeMap, BTreeSet};

use proptest::prelude::*;
use tribunal::base::key::{Digest, encode};
use tribunal::plan::{NodeKey, Plan};

use super::specs::{checked, spec};

/// Every node's key by its title, the digest of a key standing in for that of a result.
fn keys(plan: &Plan) -> BTreeMap<String, Digest> {
    let none = BTreeMap::new();
    let mut all: Vec<Digest> = Vec::new();
    for node in &*plan.nodes {
        let inputs = node.inputs.iter().map(|input| all[input.0]).collect();
        all.push(encode(&NodeKey::new(node, &none, inputs)).1);
    }
    plan.nodes
        .iter()
        .map(tribunal::plan::Node::title)
        .zip(all)
        .collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn every_node_stands_behind_what_it_reads(text in spec()) {
        let spec = checked(text.plain().as_bytes(), &[]).map_err(TestCaseError::fail)?;
        let plan = Plan::new(&spec);
        let mut titles = BTreeSet::new();
        for id in plan.ids() {
            let node = plan.node(id);
            prop_assert!(node.inputs.iter().all(|input| *input < id), "{}", node.title());
            let read: BTreeSet<_> = node.inputs.iter().map(|input| &plan.node(*input).name).collect();
            let named: BTreeSet<_> = node.stage.reads().into_iter().collect();
            prop_assert_eq!(read, named);
            prop_assert!(titles.insert(node.title()), "two nodes are {}", node.title());
        }
    }

    #[test]
    fn a_part_of_a_plan_is_closed(text in spec(), pick in any::<prop::sample::Index>()) {
        let spec = checked(text.plain().as_bytes(), &[]).map_err(TestCaseError::fail)?;
        let plan = Plan::new(&spec);
        let target = plan.nodes[pick.index(plan.nodes.len())].name.clone();
        let part = plan.only(&BTreeSet::from([target.clone()]));
        prop_assert!(part.nodes.iter().any(|node| node.name == target));
        let (all, some) = (keys(&plan), keys(&part));
        // The same nodes with the same keys, so that a partial run is a step of the whole.
        for (title, key) in &some {
            prop_assert_eq!(Some(key), all.get(title));
        }
    }

    #[test]
    fn the_order_of_tables_and_keys_is_in_no_key(
        text in spec(),
        order in prop::collection::vec(any::<u32>(), 1..60),
    ) {
        let of = |text: &str| checked(text.as_bytes(), &[]).map(|spec| keys(&Plan::new(&spec)));
        let plain = of(&text.plain()).map_err(TestCaseError::fail)?;
        let other = of(&text.written(&order)).map_err(TestCaseError::fail)?;
        prop_assert_eq!(plain, other);
    }
}
