import { toFileWord } from '#lib/contract/export-name.ts'

/** `bellwether_AAPL_2024-01-01_2024-08-02_week.svg`: nothing in it that a file system or a shell could stumble over. */
export const toChartFileName = (parts: readonly string[], ending: string): string =>
  `${['bellwether', ...parts.map(toFileWord)].join('_')}.${ending}`
