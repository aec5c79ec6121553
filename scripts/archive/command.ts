/** What a command is given: it has the data folder to itself. */
export type CommandContext = {
  dataDir: string
  /** The archive's file in it. */
  path: string
  /** Where backups lie unless another folder is named. */
  backupFolder: string
  /** The address of the shared database as it was given; null where none is. */
  databaseUrl: string | null
  /** Seconds since 1970. */
  now: () => number
  print: (line: string) => void
}

/** Why a command could not do what it was asked, for the operator. */
export class Problem extends Error {}

/** What the engine may take while a command runs. */
export const LIMITS = { memoryLimit: '512MB', threads: 2 }

export const toCount = (value: number): string => value.toLocaleString('en-US')
