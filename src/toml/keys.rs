//! The keys that a table may have, as its type declares them to serde.

use std::cell::Cell;

use serde::de::value::Error;
use serde::de::{DeserializeOwned, Deserializer, Error as _, Visitor};
use serde::forward_to_deserialize_any;

/// The keys of a table that is read as a struct.
pub(crate) fn keys<T: DeserializeOwned>() -> &'static [&'static str] {
    let declared = Cell::new(&[][..]);
    // Nothing is read: it is an error that says what was asked for.
    T::deserialize(Asked(&declared)).err();
    declared.get()
}

/// Takes down the keys that it is asked for.
struct Asked<'k>(&'k Cell<&'static [&'static str]>);

impl<'de> Deserializer<'de> for Asked<'_> {
    type Error = Error;

    fn deserialize_any<V: Visitor<'de>>(self, _: V) -> Result<V::Value, Error> {
        Err(Error::custom("not a struct"))
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        keys: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        self.0.set(keys);
        self.deserialize_any(visitor)
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf option unit unit_struct
        newtype_struct seq tuple tuple_struct map enum identifier ignored_any
    }
}
