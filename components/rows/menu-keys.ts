type At = { at: number; texts: readonly string[] }

/** Where a key leads in a menu: round by the arrows, to its ends, or on to the next item that begins with a letter. */
export function moveInMenu(key: string, { at, texts }: At): number | null {
  const { length } = texts
  if (length === 0) return null
  switch (key) {
    case 'ArrowDown':
      return (at + 1) % length
    case 'ArrowUp':
      return (Math.max(at, 0) + length - 1) % length
    case 'Home':
      return 0
    case 'End':
      return length - 1
    default:
      return toLetter(key, { at, texts })
  }
}

function toLetter(key: string, { at, texts }: At): number | null {
  if (!/^[^\s]$/u.test(key)) return null
  const ahead = texts.map((_, step) => (at + 1 + step) % texts.length)
  const begins = (index: number) => texts[index]?.toLowerCase().startsWith(key.toLowerCase())
  return ahead.find(begins) ?? null
}
