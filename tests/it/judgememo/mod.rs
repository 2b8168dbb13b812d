//! The memory judge of the JudgeMemo thesis as it is asked live: templates, the method as a composition.

mod templates;
