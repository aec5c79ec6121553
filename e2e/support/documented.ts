import { readFileSync } from 'node:fs'

export type HttpsProxy = {
  program: string
  target: string
  port: number
  basePath?: string
}

export function readDocumented(file: string, language: 'nginx' | 'caddyfile'): string {
  const block = new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``).exec(
    readFileSync(file, 'utf8'),
  )
  if (block?.[1] === undefined) throw new Error(`${file} has no lines for ${language}.`)
  return block[1].trimEnd()
}

export function replaceAll(lines: string, changes: Readonly<Record<string, string>>): string {
  return Object.entries(changes).reduce((text, [from, to]) => {
    if (!text.includes(from)) throw new Error(`The documented lines lack “${from}”.`)
    return text.replace(from, to)
  }, lines)
}
