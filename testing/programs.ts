import { execFile, execFileSync } from 'node:child_process'
import { promisify } from 'node:util'

const execute = promisify(execFile)

/** Standard output. Throws if the program fails. */
export async function runProgram(
  command: string,
  args: readonly string[],
  cwd: string,
): Promise<string> {
  const { stdout } = await execute(command, args, { cwd, maxBuffer: 2 ** 28 })
  return stdout
}

export function hasProgram(command: string, args: readonly string[] = ['--version']): boolean {
  try {
    execFileSync(command, args, { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

export const hasPython = (...modules: readonly string[]): boolean =>
  hasProgram('python3', ['-c', modules.map((name) => `import ${name}`).join('\n')])
