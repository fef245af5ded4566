mod any_bytes;
mod damage;
mod faults;
mod games;
mod keeping;
mod names;
mod places;
mod power;
