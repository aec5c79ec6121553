import { readFileSync } from 'node:fs'

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
