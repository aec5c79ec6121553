import { hash, verify } from '@node-rs/argon2'
import { PASSWORD_MIN } from '#lib/contract/answers/access.ts'
import { createPasswordTurns, type PasswordTurn } from './password-turns.ts'

/** RFC 9106, the second choice: 64 MiB, three passes; about 100 ms of one core. Argon2id is what the library takes. */
const COST = { memoryCost: 65_536, timeCost: 3, parallelism: 1 }

/** Somebody who has signed in and changes a password. */
const OURS: PasswordTurn = { client: '', isKnown: true }

const PASSWORD_MAX = 256

/** Fewer different characters than this are a pattern, and no password. */
const DIFFERENT_MIN = 5

/** Hashes passwords and holds them against hashes, off the thread that answers. */
export type Passwords = {
  /** The hash in the PHC string format, with its salt and its cost. */
  hash(password: string): Promise<string>
  /**
   * Whether it is the password of a hash. `null` is nobody's: that takes as long, and is never right. Throws
   * AppError('busy') where too many wait.
   */
  isRight(password: string, kept: string | null, turn: PasswordTurn): Promise<boolean>
}

type Verify = (kept: string, password: string) => Promise<boolean>

export function createPasswords(cost = COST, verifyIn: Verify = verify): Passwords {
  // One at a time, so that they never take more than the memory of one.
  const inTurn = createPasswordTurns()
  let nobodys: Promise<string> | null = null

  return {
    hash: (password) => inTurn(OURS, () => hash(normalise(password), cost)),
    async isRight(password, kept, turn) {
      nobodys ??= hash('nobody has this password', cost)
      const against = kept ?? (await nobodys)
      const isMatch = await inTurn(turn, () => verifyIn(against, normalise(password)))
      return isMatch && kept !== null
    },
  }
}

/** Characters that look the same and are typed in two ways are one. */
const normalise = (password: string) => password.normalize('NFKC')

/** Why a password is not taken, as the end of a sentence that begins with "The password"; null where it is. */
export function selectPasswordProblem(password: string, name: string): string | null {
  const length = [...password].length
  if (length < PASSWORD_MIN) return `has fewer than ${PASSWORD_MIN} characters`
  if (length > PASSWORD_MAX) return `has more than ${PASSWORD_MAX} characters`
  const text = normalise(password).toLowerCase()
  if (new Set(text).size < DIFFERENT_MIN) return 'repeats the same few characters'
  if (text.includes(name.toLowerCase())) return 'holds the name of the account'
  if (COMMON.some((common) => text.startsWith(common) && text.length < common.length + 4)) {
    return 'is among the first that anybody guesses'
  }
  return null
}

/** The beginnings of the common passwords that are long enough to be taken otherwise. */
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
