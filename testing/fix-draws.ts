import { fixDraws } from './draws.ts'

fixDraws()
