const NAME_MAX = 128

/** Words with one space between them. What cannot be seen is not cut out: another's name could be what is left. */
const PLAIN = /^[^\p{C}\p{Z}]+(?: [^\p{C}\p{Z}]+)*$/u

/** Whether a name, or that of a group, is taken from a provider or a proxy: as it is, or not at all. */
export const isPlainName = (value: unknown): value is string =>
  typeof value === 'string' && value.length <= NAME_MAX && PLAIN.test(value)
