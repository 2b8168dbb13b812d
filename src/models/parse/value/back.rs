//! Words with which a judge takes a verdict back, on whatever scale: jokes, second looks, a verdict that is called
//! somebody else's, too high or not final.
//!
//! Must not look at the verdict, or for what is given in its place (see `anew`).

use std::sync::LazyLock;

use regex::bytes::Regex;

/// Words with which a judge takes a verdict back, wherever they stand in a sentence.
static BACK: LazyLock<Regex> = LazyLock::new(|| {
    let pattern = r"(?imx-u)
        \b(?: (?:just|only|was|am|i(?:'|\xe2\x80\x99)m)\ (?:kidding|joking) | (?:being|is|was)\ (?:sarcasm|sarcastic)
        | (?:that|this|which)(?:\ (?:is|was)|(?:'|\xe2\x80\x99)s),?\ (?:of\ course,?\ |just\ |only\ |merely\ |an?\ |my\ )*(?:bluff|fallacy|guess|joke|lie|mistake|prank|slip|trap|trick|typo)
        | (?:on|upon|with|after)\ (?:an?\ )?(?:closer|second|further|another)\ (?:inspection|look|thought|reading)s?
        | in\ hindsight | (?:on|upon)\ reflection | then\ again | changed?\ my\ (?:mind|rating|answer|verdict|score|opinion)
        | (?:correct|contradict)\ myself | never\ mind | to\ be\ (?:confirmed|decided|determined|discussed|revised)
        | not\ (?:be\ )?(?:my|the|a|an)\ (?:(?:final|real|actual|true|own|definitive|official|genuine|serious)\ ?)*(?:rating|answer|verdict|score|grade|judge?ment|opinion|assessment)s?
        | naive\ reader | mixed\ up | my\ bad | I(?:\ a|'|\xe2\x80\x99)m\ wrong | I\ was\ (?:wrong|mistaken) | I\ meant? | the\ opposite
        | (?:for|is|mean|meant|to)\ the\ other\ (?:one|text)
        | I\ (?:just\ )?(?:misread|misjudged|misunderstood|misapplied|confused|swapped|forgot)
        | I\ (?:have\ not|haven(?:'|\xe2\x80\x99)t|did\ not|didn(?:'|\xe2\x80\x99)t)\ (?:yet\ |actually\ |even\ )?(?:read|seen?|look(?:ed)?|check(?:ed)?|finish(?:ed)?|receive[d]?|get|got)
        | (?:one|a|half\ an?|two)\ (?:full\ |whole\ )?(?:level|point|step|grade|notch|mark|star)s?\ (?:lower|higher|less|more|down|up)
        | (?:that|this|it|rating|score|grade|mark|number|verdict)\ (?:is|was|holds|applies|stands|counts)\ (?:only\ |just\ |merely\ )?(?:for|to)\ the\ (?:beginning|end|ending|first|introduction|last|opening|original|other|plot|prompt|reference|second|source|start|style|third|title)
        | rates\ the\ (?:beginning|ending|introduction|plot|prompt|reference|source|style|title)
        | not\ (?:anymore|really) | should\ have\ been | changes\ things | the\ format\ (?:would|will|should|could)\ (?:be|look)
        | (?:i\ (?:was|am|have\ been|may\ have\ been|might\ have\ been)|(?:that|this)(?:\ (?:is|was|seems|feels)|(?:'|\xe2\x80\x99)s)|(?:score|rating|grade|mark|verdict|number)\ (?:above\ )?(?:is|was|seems|feels)) \ (?:far\ |much\ |way\ |a\ (?:bit|little)\ |slightly\ |probably\ |perhaps\ |maybe\ )*(?:too|overly)\ (?:generous|lenient|harsh|strict|kind|high|low|hasty|severe|optimistic|pessimistic|critical)
        | let\ me\ (?:re-?[a-z]+|correct|fix|start\ over|try\ (?:this\ |that\ )?again|think\ (?:about\ (?:it|this|that)\ )?again|change|adjust|check\ again)
        | (?:that|this)\ would\ be\ (?:an?\ )?(?:error|fallacy|misjudge?ment|mistake|unfair|wrong)
        | ich\ korrigiere | korrektur | bei\ n\xc3\xa4herer )\b
        | (?:^|[.!?]\ )[^a-z\n]*(?:
            (?:that|this)(?:\ (?:is|was|would\ be)|(?:'|\xe2\x80\x99)s)\ (?:just\ |only\ |merely\ )?(?:what|how)\ (?:an?|the|some|many|most|others?|people|somebody|someone|anyone|they|he|she|you|my|your|his|her|our|their)\b
          | (?:that|this|it)(?:\ (?:is|was)|(?:'|\xe2\x80\x99)s)\ (?:just|only|merely)\ (?:to|for|meant|so)\b
          | (?:(?:ah|hm+|no|oh|well|um),?\ )?(?:actually|wait|hmm|oops|sorry|scratch|nein|typo|joke)\b
          | (?:(?:a\ (?:bit|little)|far|much|perhaps|probably|slightly|way)\ )*too\ (?:generous|harsh|high|kind|lenient|low|strict)\b
          | (?:deduct(?:ing)?|less|minus|plus|subtract(?:ing)?|taking\ off)\ (?:an?|half|one|two|[0-9])\b
          | (?:that|this|it)(?:\ is|(?:'|\xe2\x80\x99)s)\ (?:[0-9.]+|an?|one|two)\ (?:points?\ |marks?\ )?too\ (?:few|high|little|low|many|much)\b
          | (?:false|incorrect|untrue|wrong)[.!)]*$
          | final[^:\n]{0,40}:[\ *]*(?:__+|\?+|tbd\b) )
        | \b(?:actually|not|is\ not|isn(?:'|\xe2\x80\x99)t)[.!)]*$ | ,\ that\ is[.!)]*$ | \bnot\ (?:yet\ )?(?:final|definitive)[.!)]*$ | ^\.\.\.\ ?(?:actually|but|is|kidding|maybe|no|not|or|wait|well)\b
        | \xe4\xbf\xae\xe6\xad\xa3 | \xe6\x9b\xb4\xe6\xad\xa3 | \xe8\xa8\x82\xe6\xad\xa3 | \xe6\x94\xb9(?:\xe4\xb8\xba|\xe6\x88\x90|\xe7\x82\xba)";
    Regex::new(pattern).expect("the pattern is made of constants")
});

/// Whether something in what follows a verdict takes it back.
pub(super) fn takes_back(behind: &str) -> bool {
    BACK.is_match(behind.as_bytes())
}
