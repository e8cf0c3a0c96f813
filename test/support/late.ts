/** Stands for what a hook of mocha makes before the tests run: whatever is read of it is read of that, then. */
export function late<T extends object>(get: () => T | undefined): T {
  return new Proxy({} as T, {
    get(_, name) {
      const value = get();
      if (!value) throw new Error(`There is no ${String(name)} yet: it comes with the hooks of the suite.`);
      return Reflect.get(value, name) as unknown;
    },
  });
}
