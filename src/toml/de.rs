//! A serde deserializer over trees whose errors say where in the tree they happened.
//!
//! Tables are read in file order, an enum is a string or a table of one key, and a number is never taken for an enum or
//! a string. Errors carry facts, not sentences: [`read`](super::read()) turns them into problems.

use std::fmt;

use serde::de::{
    self, DeserializeSeed, Deserializer, EnumAccess, Expected, IntoDeserializer, MapAccess,
    SeqAccess, Unexpected, VariantAccess, Visitor,
};

use super::suggest::{choice_of, list_of};
use super::tree::{Node, Tree};

/// Why a value cannot be read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FaultKind {
    /// A key that the table does not have.
    UnknownKey {
        /// The keys it has.
        known: &'static [&'static str],
    },
    /// A string that is none of the allowed ones.
    UnknownVariant {
        /// The string.
        found: String,
        /// The allowed ones.
        known: &'static [&'static str],
    },
    /// A value of another type, or outside its type's range.
    WrongType {
        /// What serde expected, in its words.
        expected: String,
    },
    /// No table, where one is needed.
    NoTable {
        /// The keys it may have.
        known: &'static [&'static str],
    },
    /// An array of the wrong length.
    WrongLength {
        /// What serde expected, in its words.
        expected: String,
    },
    /// A key that must be there.
    MissingKey {
        /// Its name.
        key: String,
    },
    /// Anything a type's own reading refused.
    Refused {
        /// In the type's words.
        message: String,
    },
}

/// Why and where a tree cannot be read as a type.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault {
    /// Path of the value at fault; array elements are numbered from "0".
    pub path: Vec<String>,
    /// Whether the key, not the value, is at fault.
    pub at_key: bool,
    /// Why.
    pub kind: FaultKind,
}

impl Fault {
    fn of(kind: FaultKind) -> Self {
        Self {
            path: Vec::new(),
            at_key: false,
            kind,
        }
    }

    fn within(mut self, key: &str) -> Self {
        self.path.insert(0, key.to_owned());
        self
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.path.is_empty() {
            write!(f, "`{}`: ", self.path.join("."))?;
        }
        match &self.kind {
            FaultKind::UnknownKey { known: [] } => {
                write!(f, "unknown key, none are known here")
            }
            FaultKind::UnknownKey { known } => {
                write!(f, "unknown key, known are {}", list_of(known))
            }
            FaultKind::UnknownVariant { found, known } => {
                write!(f, "`{found}` is not one of {}", choice_of(known))
            }
            FaultKind::WrongType { expected } | FaultKind::WrongLength { expected } => {
                write!(f, "expected {expected}")
            }
            FaultKind::NoTable { .. } => f.write_str("expected a table"),
            FaultKind::MissingKey { key } => write!(f, "`{key}` is missing"),
            FaultKind::Refused { message } => f.write_str(message),
        }
    }
}

impl std::error::Error for Fault {}

impl de::Error for Fault {
    fn custom<T: fmt::Display>(message: T) -> Self {
        Self::of(FaultKind::Refused {
            message: message.to_string(),
        })
    }

    fn invalid_type(_: Unexpected<'_>, expected: &dyn Expected) -> Self {
        Self::of(FaultKind::WrongType {
            expected: expected.to_string(),
        })
    }

    fn invalid_value(_: Unexpected<'_>, expected: &dyn Expected) -> Self {
        Self::of(FaultKind::WrongType {
            expected: expected.to_string(),
        })
    }

    fn invalid_length(_: usize, expected: &dyn Expected) -> Self {
        Self::of(FaultKind::WrongLength {
            expected: expected.to_string(),
        })
    }

    fn unknown_variant(found: &str, known: &'static [&'static str]) -> Self {
        Self::of(FaultKind::UnknownVariant {
            found: found.to_owned(),
            known,
        })
    }

    fn unknown_field(_: &str, known: &'static [&'static str]) -> Self {
        Self::of(FaultKind::UnknownKey { known })
    }

    fn missing_field(key: &'static str) -> Self {
        Self::of(FaultKind::MissingKey {
            key: key.to_owned(),
        })
    }
}

impl<'de> Deserializer<'de> for &'de Tree {
    type Error = Fault;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
        match &self.node {
            Node::String(text) => visitor.visit_borrowed_str(text),
            Node::Integer(number) => visitor.visit_i64(*number),
            Node::Float(number) => visitor.visit_f64(*number),
            Node::Boolean(value) => visitor.visit_bool(*value),
            Node::Array(elements) => {
                let mut access = Elements {
                    list: elements,
                    next: 0,
                };
                let value = visitor.visit_seq(&mut access)?;
                // A fixed-size type stops reading when it is full; what is left over must not pass unseen.
                if access.next < elements.len() {
                    let expected = format!(
                        "an array of {}",
                        super::suggest::count(access.next, "value")
                    );
                    return Err(Fault::of(FaultKind::WrongLength { expected }));
                }
                Ok(value)
            }
            Node::Table(table) => visitor.visit_map(Entries {
                left: table.iter(),
                value: None,
            }),
        }
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
        visitor.visit_some(self)
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        visitor: V,
    ) -> Result<V::Value, Fault> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Fault> {
        match &self.node {
            Node::String(text) => visitor.visit_enum(text.as_str().into_deserializer()),
            Node::Table(table) => match table.iter().next() {
                Some((key, value)) if table.len() == 1 => {
                    visitor.visit_enum(Variant { key, value })
                }
                _ => Err(Fault::of(FaultKind::WrongType {
                    expected: format!(
                        "a table with exactly one of the keys {}",
                        choice_of(variants)
                    ),
                })),
            },
            _ => Err(Fault::of(FaultKind::WrongType {
                expected: choice_of(variants),
            })),
        }
    }

    serde::forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf unit unit_struct seq tuple
        tuple_struct map identifier ignored_any
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        known: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Fault> {
        if self.is_table() {
            self.deserialize_any(visitor)
        } else {
            Err(Fault::of(FaultKind::NoTable { known }))
        }
    }
}

struct Elements<'de> {
    list: &'de [Tree],
    next: usize,
}

impl<'de> SeqAccess<'de> for &mut Elements<'de> {
    type Error = Fault;

    fn next_element_seed<T: DeserializeSeed<'de>>(
        &mut self,
        seed: T,
    ) -> Result<Option<T::Value>, Fault> {
        let Some(element) = self.list.get(self.next) else {
            return Ok(None);
        };
        let value = seed
            .deserialize(element)
            .map_err(|fault| fault.within(&self.next.to_string()))?;
        self.next += 1;
        Ok(Some(value))
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.list.len() - self.next)
    }
}

struct Entries<'de> {
    left: indexmap::map::Iter<'de, String, Tree>,
    value: Option<(&'de String, &'de Tree)>,
}

impl<'de> MapAccess<'de> for Entries<'de> {
    type Error = Fault;

    fn next_key_seed<K: DeserializeSeed<'de>>(
        &mut self,
        seed: K,
    ) -> Result<Option<K::Value>, Fault> {
        self.value = self.left.next();
        let Some((key, _)) = self.value else {
            return Ok(None);
        };
        let key_of = |fault: Fault| Fault {
            at_key: true,
            ..fault.within(key)
        };
        seed.deserialize(key.as_str().into_deserializer())
            .map_err(key_of)
            .map(Some)
    }

    fn next_value_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<T::Value, Fault> {
        match self.value.take() {
            Some((key, value)) => seed.deserialize(value).map_err(|fault| fault.within(key)),
            None => Err(de::Error::custom("a value was asked for before its key")),
        }
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.left.len())
    }
}

/// An enum written as a table of one key: `{ seeded = { n = 5 } }`.
struct Variant<'de> {
    key: &'de String,
    value: &'de Tree,
}

impl<'de> EnumAccess<'de> for Variant<'de> {
    type Error = Fault;
    type Variant = Self;

    fn variant_seed<T: DeserializeSeed<'de>>(self, seed: T) -> Result<(T::Value, Self), Fault> {
        let key_of = |fault: Fault| Fault {
            at_key: true,
            ..fault.within(self.key)
        };
        let variant = seed
            .deserialize(self.key.as_str().into_deserializer())
            .map_err(key_of)?;
        Ok((variant, self))
    }
}

impl<'de> VariantAccess<'de> for Variant<'de> {
    type Error = Fault;

    fn unit_variant(self) -> Result<(), Fault> {
        let expected = format!("just the string {:?}", self.key);
        Err(Fault::of(FaultKind::WrongType { expected }))
    }

    fn newtype_variant_seed<T: DeserializeSeed<'de>>(self, seed: T) -> Result<T::Value, Fault> {
        seed.deserialize(self.value)
            .map_err(|fault| fault.within(self.key))
    }

    fn tuple_variant<V: Visitor<'de>>(self, _: usize, visitor: V) -> Result<V::Value, Fault> {
        self.value
            .deserialize_any(visitor)
            .map_err(|fault| fault.within(self.key))
    }

    fn struct_variant<V: Visitor<'de>>(
        self,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Fault> {
        self.value
            .deserialize_any(visitor)
            .map_err(|fault| fault.within(self.key))
    }
}
