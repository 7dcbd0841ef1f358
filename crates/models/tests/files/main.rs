//! Scenario files of all models: what is read, what is refused, where and in which words.

mod assembly;
mod bad_input;
mod corpus;
mod elements;
mod good_input;
mod properties;
mod rail_wheel;
mod rolling_contact;
mod vehicle;
