/** `A`, `A or B`, `A, B or C`. */
export function joinByOr(words: readonly string[]): string {
  const last = words.at(-1) ?? ''
  return words.length > 1 ? `${words.slice(0, -1).join(', ')} or ${last}` : last
}
