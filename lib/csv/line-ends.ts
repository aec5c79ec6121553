/**
 * `\r\r\n` comes from double translation. A quote opens only at a cell's start and closes only
 * before a delimiter or line end.
 */
export function unifyLineEnds(text: string, delimiter: string): string {
  if (!text.includes('\r')) return text
  if (!text.includes('"')) return text.replace(LINE_END, '\n')
  let unified = ''
  let at = 0
  for (;;) {
    const open = findOpening(text, at, delimiter)
    unified += text.slice(at, open).replace(LINE_END, '\n')
    if (open === text.length) return unified
    at = findClosing(text, open, delimiter)
    unified += text.slice(open, at)
  }
}

const LINE_END = /\r+\n|\r/g

function findOpening(text: string, from: number, delimiter: string): number {
  for (let at = text.indexOf('"', from); at !== -1; at = text.indexOf('"', at + 1)) {
    const before = text[at - 1]
    if (at === 0 || before === delimiter || before === '\n' || before === '\r') return at
  }
  return text.length
}

function findClosing(text: string, open: number, delimiter: string): number {
  for (let at = text.indexOf('"', open + 1); at !== -1; at = text.indexOf('"', at + 1)) {
    if (text[at + 1] === '"') {
      at += 1
      continue
    }
    let next = at + 1
    while (text[next] === ' ' && delimiter !== ' ') next += 1
    const after = text[next]
    if (after === undefined || after === delimiter || after === '\n' || after === '\r')
      return at + 1
  }
  return text.length
}
