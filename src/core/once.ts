/** Computes what belongs to a thing when it is first asked for: for things that never change in place. */
export function once<Thing extends object, Value extends {}>(
  compute: (thing: Thing) => Value,
): (thing: Thing) => Value {
  const values = new WeakMap<Thing, Value>();
  return (thing) => {
    const known = values.get(thing);
    if (known !== undefined) return known;
    const value = compute(thing);
    values.set(thing, value);
    return value;
  };
}
