mod damage;
mod faults;
mod games;
mod keeping;
mod names;
mod others;
mod places;
mod power;
