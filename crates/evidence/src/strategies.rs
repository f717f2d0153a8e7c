//! The strategies that come with the house.
//!
//! After Chechik and Gurfinkel (2005), sections 3.3 and 5. Each is one idea in one file; [`Chain`] puts
//! several together. A strategy that has nothing to say about an obligation returns nothing, and then
//! the shortest evidence that is known is shown.

mod best_loop;
mod chain;
mod cheapest;
mod distance;
mod follow;
mod known;
mod like;
mod partial;
mod prefer;
mod random;
mod smallest;
mod stay;
mod steps;

pub use best_loop::BestLoop;
pub use chain::Chain;
pub use cheapest::Cheapest;
pub use distance::DistanceStrategy;
pub use follow::Follow;
pub use known::KnownStrategy;
pub use like::{Like, LikeChoice};
pub use partial::Partial;
pub use prefer::Prefer;
pub use random::Random;
pub use smallest::SmallestGoal;
pub use stay::StayFirst;
