import { readFileSync } from 'node:fs'

export type HttpsFront = {
  program: string
  /** `http://127.0.0.1:3000`. */
  target: string
  port: number
  /** The rest of the host answers `beside`. */
  basePath?: string
}

/** Returns the first code block of the language. */
export function readDocumented(file: string, language: 'nginx' | 'caddyfile'): string {
  const block = new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``).exec(
    readFileSync(file, 'utf8'),
  )
  if (block?.[1] === undefined) throw new Error(`${file} has no lines for ${language}.`)
  return block[1].trimEnd()
}

/** Throws if a text to replace is missing. */
export function replaceAll(lines: string, changes: Readonly<Record<string, string>>): string {
  return Object.entries(changes).reduce((text, [from, to]) => {
    if (!text.includes(from)) throw new Error(`The documented lines lack “${from}”.`)
    return text.replace(from, to)
  }, lines)
}
