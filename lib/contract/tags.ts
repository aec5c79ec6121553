export const TAGS = {
  Ratings: 'Rating lists, single ratings, exports and counts.',
  Symbols: 'Community opinion of a symbol, now and over time.',
  Users: 'Users, their ratings and their track records.',
  Dumps: 'The weekly files of the service, unchanged.',
  State: 'Archive contents, sync and operation.',
  Service: 'The configured service itself.',
} as const
export type Tag = keyof typeof TAGS
