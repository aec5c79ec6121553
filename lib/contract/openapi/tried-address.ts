import { toPathPart } from '#lib/contract/path-part.ts'
import { toQueryText } from '#lib/contract/query-schema.ts'

export type Tried = { address: string; names: readonly string[] }

export function toTriedAddress(
  { address, names }: Tried,
  fields: URLSearchParams,
  parts: Readonly<Record<string, string>> = {},
): string {
  const read = (name: string) => fields.get(name)?.trim() ?? ''
  const path = address.replace(/\{(\w+)\}/g, (_, name: string) =>
    toPathPart(read(name) || (parts[name] ?? '')),
  )
  const asked = names.filter((name) => read(name) !== '')
  return path + toQueryText(new URLSearchParams(asked.map((name) => [name, read(name)])))
}
