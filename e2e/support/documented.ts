import { readFileSync } from 'node:fs'

/** A program that stands in front by https, on loopback, as the documents set it up. */
export type HttpsFront = {
  program: string
  /** Where the application listens: `http://127.0.0.1:3000`. */
  target: string
  port: number
  /** What the application stands under: the rest of the host is another program's, which says `beside`. */
  basePath?: string
}

/** The lines that the documentation gives an operator for a program: the first such block of the file. */
export function readDocumented(file: string, language: 'nginx' | 'caddyfile'): string {
  const block = new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``).exec(
    readFileSync(file, 'utf8'),
  )
  if (block?.[1] === undefined) throw new Error(`${file} has no lines for ${language}.`)
  return block[1].trimEnd()
}

/** Puts what is right for this test where the documentation has something else; fails where it has not. */
export function replaceAll(lines: string, changes: Readonly<Record<string, string>>): string {
  return Object.entries(changes).reduce((text, [from, to]) => {
    if (!text.includes(from)) throw new Error(`The documented lines lack “${from}”.`)
    return text.replace(from, to)
  }, lines)
}
