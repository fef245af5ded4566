mod any_bytes;
mod damage;
mod faults;
mod games;
mod keeping;
mod model;
mod names;
mod power;
