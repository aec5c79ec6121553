import type { ReactNode } from 'react'
import { Button, buttonClasses } from '#components/ui/button.tsx'
import { TextField } from '#components/ui/fields.tsx'
import { Bell } from '#components/ui/icons.tsx'
import { Notice } from '#components/ui/messages.tsx'
import { withBase } from '#lib/contract/base-path.ts'
import { withNext } from '#lib/contract/path-part.ts'
import { EndData } from './end-data.tsx'

const REASONS: Readonly<
  Record<string, { tone: 'info' | 'failure'; title: string; text?: string }>
> = {
  wrong: {
    tone: 'failure',
    title: 'Wrong name or password',
    text: 'Passwords are case-sensitive.',
  },
  slow: {
    tone: 'failure',
    title: 'Too many failed attempts',
    text: 'Wait 15 minutes, then try again.',
  },
  refused: {
    tone: 'failure',
    title: 'Sign-in was refused',
    text: 'The identity provider refused the sign-in, or its answer came too late. Try again.',
  },
  away: {
    tone: 'failure',
    title: 'The identity provider does not answer',
    text: 'Current sessions keep working. Try again in a minute.',
  },
  crowd: {
    tone: 'failure',
    title: 'Too many sign-ins at once',
    text: 'Try again in a moment.',
  },
  later: {
    tone: 'failure',
    title: 'Nobody can sign in right now',
    text: 'New sessions cannot be saved at the moment. Current sessions keep working. Try again in a minute.',
  },
  full: {
    tone: 'failure',
    title: 'Nobody can sign in right now',
    text: 'The disk of the server is full: new sessions cannot be saved. Current sessions keep working.',
  },
  'read-only': {
    tone: 'failure',
    title: 'Nobody can sign in right now',
    text: 'The server cannot write to its data folder: new sessions cannot be saved. Current sessions keep working.',
  },
  broken: {
    tone: 'failure',
    title: 'Nobody can sign in right now',
    text: 'Something went wrong on our side. The operator can find details in the log.',
  },
  cookies: {
    tone: 'failure',
    title: 'Your browser sends two session cookies',
    text: 'Another program on this host has set one, so neither counts. Delete the cookies of this host, then sign in again.',
  },
  ended: { tone: 'info', title: 'Your session has ended' },
  out: { tone: 'info', title: 'You are signed out' },
}

type SignInScreenProps = {
  /** Same-origin path. */
  next: string
  why: string | null
  /** Null: local accounts. */
  provider: string | null
  isSignedOut: boolean
}

export function SignInScreen({ next, why, provider, isSignedOut }: SignInScreenProps) {
  const reason = why !== null && Object.hasOwn(REASONS, why) ? REASONS[why] : undefined
  return (
    <EntryPage title="Sign in to Bellwether">
      {isSignedOut && <EndData />}
      {reason && (
        <Notice tone={reason.tone} title={reason.title} className="w-full max-w-[360px]">
          {reason.text}
        </Notice>
      )}
      {provider === null ? (
        <PasswordForm next={next} />
      ) : (
        <Frame>
          <a
            href={withBase(withNext('/api/access/oidc', next))}
            className={buttonClasses({ variant: 'solid', size: 'large' }, 'justify-center')}
          >
            Sign in at {provider}
          </a>
        </Frame>
      )}
      <p className="max-w-[360px] text-center text-sm text-ink-3">
        {provider === null
          ? 'Ask the operator of this dashboard for a name and a password.'
          : 'The operator of this dashboard decides who can sign in.'}
      </p>
    </EntryPage>
  )
}

/** Where accounts are not configured, or a proxy signs readers in. */
export const NoSignInScreen = () => (
  <EntryPage title="There is no sign-in here">
    <p className="max-w-[360px] text-center text-ink-2">
      This dashboard does not ask for a name and a password.
    </p>
    <a href={withBase('/')} className={buttonClasses({ variant: 'solid', size: 'large' })}>
      All ratings
    </a>
  </EntryPage>
)

const EntryPage = ({ title, children }: { title: string; children: ReactNode }) => (
  <main
    id="main"
    className="flex grow flex-col items-center justify-center gap-5 px-4 py-10 sm:px-7"
  >
    <Bell className="size-9 text-accent" strokeWidth="1.1" />
    <h1 className="text-xl">{title}</h1>
    {children}
  </main>
)

const PasswordForm = ({ next }: { next: string }) => (
  <form method="post" action={withBase('/api/access/sign-in')} className="contents">
    <Frame>
      <input type="hidden" name="next" value={next} />
      <TextField
        label="Name"
        name="name"
        autoComplete="username"
        autoCapitalize="none"
        autoFocus
        required
        maxLength={64}
      />
      <TextField
        label="Password"
        name="password"
        type="password"
        autoComplete="current-password"
        required
        maxLength={256}
      />
      <Button type="submit" variant="solid" size="large" className="mt-1 justify-center">
        Sign in
      </Button>
    </Frame>
  </form>
)

const Frame = ({ children }: { children: ReactNode }) => (
  <div className="flex w-full max-w-[360px] flex-col gap-3 rounded-lg border bg-surface p-5">
    {children}
  </div>
)
