import 'server-only'
/** Next bundles modules several times; only `globalThis` is shared. */
export function singleton<T>(name: string, create: () => T): T {
  const kept = selectSingleton<T>(name)
  if (kept !== undefined) return kept
  const created = create()
  registry()[toKey(name)] = created
  return created
}

export const selectSingleton = <T>(name: string): T | undefined =>
  registry()[toKey(name)] as T | undefined

const registry = () => globalThis as unknown as Record<symbol, unknown>
const toKey = (name: string) => Symbol.for(`bellwether.${name}`)
