export type CommandContext = {
  dataDir: string
  path: string
  backupFolder: string
  /** As given. Null if not set. */
  databaseUrl: string | null
  /** Seconds since 1970. */
  now: () => number
  print: (line: string) => void
}

/** An expected failure; the message is for the operator. */
export class Problem extends Error {}

export const LIMITS = { memoryLimit: '512MB', threads: 2 }

export const toCount = (value: number): string => value.toLocaleString('en-US')
