export type CommandContext = {
  dataDir: string
  path: string
  backupFolder: string
  databaseUrl: string | null
  environment: Record<string, string | undefined>
  /** Seconds since 1970. */
  now: () => number
  print: (line: string) => void
}

export class Problem extends Error {}

export const LIMITS = { memoryLimit: '512MB', threads: 2 }

export const toCount = (value: number): string => value.toLocaleString('en-US')
