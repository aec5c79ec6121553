import { toQueryText } from '#lib/contract/ratings-query.ts'

/** What a form asks: an address of the API with its `{parts}`, and the names that its query takes. */
export type Tried = { address: string; names: readonly string[] }

/**
 * The address that the fields of a form ask. A field that is left empty is not asked; one that the address does not take
 * is left out. `parts` stand where the path's own are not given.
 */
export function toTriedAddress(
  { address, names }: Tried,
  fields: URLSearchParams,
  parts: Readonly<Record<string, string>> = {},
): string {
  const read = (name: string) => fields.get(name)?.trim() ?? ''
  const path = address.replace(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(read(name) || (parts[name] ?? '')),
  )
  const asked = names.filter((name) => read(name) !== '')
  return path + toQueryText(new URLSearchParams(asked.map((name) => [name, read(name)])))
}
