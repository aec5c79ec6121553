import 'server-only'
import { type ParsedEnv, parseEnv } from './env.ts'
import { once } from './once.ts'

/**
 * The environment of this process, read once: what held at the start holds for its life, even where a file that it
 * names has since gone.
 */
export const processEnv = (): ParsedEnv => once('env', () => parseEnv(process.env))
