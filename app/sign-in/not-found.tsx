import { NoSignInScreen } from '#components/access/sign-in-screen.tsx'

export default function SignInNotFound() {
  return <NoSignInScreen />
}
