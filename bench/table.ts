/** One figure: what, how much, what was aimed at, and the machine's own floor in the same run. */
export type Figure = { what: string; got: string; aim: string; met: boolean | null; floor: string }

export function toMarkdown(figures: readonly Figure[]): string {
  const head = ['Figure', 'Measured', 'Aim', 'Met', 'Floor in the same run']
  const rows = figures.map(({ what, got, aim, met, floor }) => [
    what,
    got,
    aim,
    met === null ? '–' : met ? 'yes' : 'no',
    floor,
  ])
  const widths = head.map((name, i) =>
    Math.max(name.length, ...rows.map((row) => row[i]?.length ?? 0)),
  )
  const line = (cells: string[]) =>
    `| ${cells.map((cell, i) => cell.padEnd(widths[i] ?? 0)).join(' | ')} |`
  const rule = line(widths.map((width) => '-'.repeat(width)))
  return [line(head), rule, ...rows.map(line)].join('\n')
}
