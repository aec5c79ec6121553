import { AppError } from '#lib/contract/faults.ts'

/** Whether a limit kept a request from being sent. */
export const isBudgetSpent = (error: unknown): error is AppError =>
  error instanceof AppError && error.fault === 'budget_spent'
