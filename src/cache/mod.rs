//! The cache: results of nodes, replies of models, and locks that keep work from being done twice.
//!
//! ```text
//! cache/CACHEDIR.TAG, README
//! cache/v1/use.lock                      held by every open store; the trimmer holds it alone
//! cache/v1/locks                         one byte per key: see `KeyLocks`
//! cache/v1/nodes/<2 hex>/<key>.json      sealed entry of a node
//! cache/v1/blobs/<2 hex>/<digest>        bytes of a result
//! cache/v1/last/<experiment>.json        which key each node had last time
//! cache/v1/seen/<name>.json              files that were read, and what the system said of them
//! cache/v1/calls/<nn>.seg, <nn>.lock     replies of models
//! cache/v1/downloads/<name>.txt, .json   files fetched from elsewhere
//! cache/v1/batches/…                     batches that are with a server
//! cache/v1/jobs/…                        what a run and its jobs on a cluster share; not of this folder
//! ```
//!
//! The order that pays for nothing twice: look up; take the key's lock (a claim, for a node); look up
//! again (calls: refresh first), for another process may have been faster; compute; store; use; let go.
//! A process may wait for the lock of a call while it holds that of a node, never the other way round.
//!
//! Whatever is read is checked against its digest, so damage is a miss with a report. Whatever
//! is written is durable before the caller hears of it. Another format lives in another `v`
//! folder and is not looked at. The cache knows neither stages nor models: keys, results and
//! replies are opaque to it. It prints nothing, and reads neither the time of day nor the environment.

mod aside;
mod batches;
mod blob;
mod calls;
mod disk;
mod downloads;
mod error;
mod gc;
mod last;
mod lock_file;
mod locks;
mod nodes;
mod root;
mod seal;

pub use aside::Aside;
pub use batches::{Batches, Kept};
pub use blob::Blob;
pub use calls::{CallStore, LONGEST_VALUE};
pub use downloads::Downloads;
pub use error::{CacheError, Damage, Flaw};
pub use gc::{BlobItem, CallItem, Cut, DownloadItem, NodeItem, Policy, Survey, Sweep, Swept};
pub use locks::{Guard, KeyLocks};
pub use nodes::{Claim, Entry, NodeStore};
pub use root::FORMAT;
pub use seal::{seal, sealed, unseal};
