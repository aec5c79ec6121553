export const TAGS = {
  Ratings: 'Rows, single ratings, exports, and what is counted of them.',
  Symbols: 'What the community thinks of a symbol, now and over time.',
  Users: 'Who rates, what, and what can be judged of it.',
  Dumps: 'The weekly files of the service, as they came.',
  State: 'What the archive holds, and what keeps it current.',
  Service: 'The configured service itself.',
} as const
export type Tag = keyof typeof TAGS
