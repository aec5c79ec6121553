import { hash, verify } from '@node-rs/argon2'
import { PASSWORD_MIN } from '#lib/contract/answers/access.ts'
import { createPasswordTurns, type PasswordTurn } from './password-turns.ts'

/** RFC 9106, second recommended option; about 100 ms of one core. */
const COST = { memoryCost: 65_536, timeCost: 3, parallelism: 1 }

const OURS: PasswordTurn = { provider: '', client: '', isKnown: true }

const PASSWORD_MAX = 256

const DIFFERENT_MIN = 5

export type Passwords = {
  hash(password: string): Promise<string>
  /** `kept` null takes as long and returns false. Throws AppError `busy`. */
  isRight(password: string, kept: string | null, turn: PasswordTurn): Promise<boolean>
}

type Verify = (kept: string, password: string) => Promise<boolean>

export function createPasswords(cost = COST, verifyIn: Verify = verify): Passwords {
  // One at a time, to bound memory.
  const inTurn = createPasswordTurns()
  let nobodys: Promise<string> | null = null

  return {
    hash: (password) => inTurn(OURS, () => hash(normalise(password), cost)),
    async isRight(password, kept, turn) {
      nobodys ??= hash('placeholder password', cost)
      const against = kept ?? (await nobodys)
      const isMatch = await inTurn(turn, () => verifyIn(against, normalise(password)))
      return isMatch && kept !== null
    },
  }
}

const normalise = (password: string) => password.normalize('NFKC')

export function selectPasswordProblem(password: string, name: string): string | null {
  const length = [...password].length
  if (length < PASSWORD_MIN) return `has fewer than ${PASSWORD_MIN} characters`
  if (length > PASSWORD_MAX) return `has more than ${PASSWORD_MAX} characters`
  const text = normalise(password).toLowerCase()
  if (new Set(text).size < DIFFERENT_MIN) return 'repeats the same few characters'
  if (text.includes(name.toLowerCase())) return 'contains the account name'
  if (COMMON.some((common) => text.startsWith(common) && text.length < common.length + 4)) {
    return 'is too common'
  }
  return null
}

const COMMON = [
  '123456789012',
  '1234567890',
  '1q2w3e4r5t6y',
  'qwertyuiop',
  'qwerty123456',
  'password1234',
  'passwordpassword',
  'iloveyou1234',
  'administrator',
  'letmeinletmein',
  'changeme1234',
  'welcome12345',
  'abcdefghijkl',
  'abcd1234abcd',
  'correcthorsebatterystaple',
]
