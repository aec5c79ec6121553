const NAME_MAX = 128

/** Characters that nobody sees, and the one in whose place bytes were that are no text. */
const HIDDEN = '\\p{C}\\p{Z}\\p{Default_Ignorable_Code_Point}\\u2800\\ufffd'

/** Words with one space between them. A hidden character is not cut out: the rest could be the name of somebody else. */
const PLAIN = new RegExp(`^[^${HIDDEN}]+(?: [^${HIDDEN}]+)*$`, 'u')

/** Whether a name, or that of a group, is taken from a provider or a proxy: as it is, or not at all. */
export const isPlainName = (value: unknown): value is string =>
  typeof value === 'string' && value.length <= NAME_MAX && PLAIN.test(value)

/** The plain names in a list of groups: between `,`, `;` and `|`; a text without these is one name, and so is each word. */
export function parseGroups(text: string): string[] {
  const parts = text.split(/[,;|]/)
  const listed = parts.length > 1 ? parts : [text, ...text.split(/[ \t]/)]
  return [...new Set(listed.map((part) => part.replace(/^[ \t]+|[ \t]+$/g, '')))].filter(
    isPlainName,
  )
}
