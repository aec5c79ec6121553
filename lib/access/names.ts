const NAME_MAX = 128

const HIDDEN = '\\p{C}\\p{Z}\\p{Default_Ignorable_Code_Point}\\u2800\\ufffd'

/** Hidden characters are rejected, not removed: the rest could be a different user's name. */
const PLAIN = new RegExp(`^[^${HIDDEN}]+(?: [^${HIDDEN}]+)*$`, 'u')

export const isPlainName = (value: unknown): value is string =>
  typeof value === 'string' && value.length <= NAME_MAX && PLAIN.test(value)

/** Without a separator, the whole text and each word are names. */
export function parseGroups(text: string): string[] {
  const parts = text.split(/[,;|]/)
  const listed = parts.length > 1 ? parts : [text, ...text.split(/[ \t]/)]
  return [...new Set(listed.map((part) => part.replace(/^[ \t]+|[ \t]+$/g, '')))].filter(
    isPlainName,
  )
}
