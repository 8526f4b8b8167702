import { ServiceError } from '../core/service-error.js'
import type { Tenant } from '../organizations/tenant.js'

/** Bounds the bytes that all calls hold at a time, and the part of each tenant. */
export interface FairBudget {
  /** @throws ServiceError `overloaded` when the tenant may not take so many bytes now; takes nothing */
  check(tenant: Tenant, bytes: number): void
  /**
   * Opens the share of one call, empty at first; the signal, which aborts at the end of every call, returns it.
   * @throws the abort reason
   */
  open(tenant: Tenant, signal: AbortSignal): BudgetShare
}

export interface BudgetShare {
  /** @throws ServiceError `overloaded` when the tenant may not take these bytes as well; the abort reason */
  add(bytes: number): void
}

/**
 * A tenant may hold as many bytes as stay free, whatever its weight. One tenant alone uses half of the budget, two a third each, and
 * whoever comes next always finds room: memory that is taken cannot be taken back, so some is kept free.
 * Source: "dynamic thresholds", Choudhury and Hahne, IEEE/ACM Transactions on Networking 6(2), 1998.
 *
 * Bytes count from their arrival: a client that announces a large body and does not send it takes nothing from others.
 * @param message - what the refused caller reads
 */
export function createFairBudget(limitBytes: number, message: string): FairBudget {
  const held = new Map<string, number>()
  let total = 0

  const take = ({ id }: Tenant, bytes: number) => {
    total += bytes
    const own = (held.get(id) ?? 0) + bytes
    if (own === 0) held.delete(id)
    else held.set(id, own)
  }
  const check = ({ id }: Tenant, bytes: number) => {
    const own = (held.get(id) ?? 0) + bytes
    const free = limitBytes - total - bytes
    if (own > free) {
      throw new ServiceError('overloaded', message, { retryAfterSeconds: 5 })
    }
  }

  return {
    check,
    open(tenant, signal) {
      signal.throwIfAborted()
      let own = 0
      signal.addEventListener('abort', () => take(tenant, -own), { once: true })
      return {
        add(bytes) {
          signal.throwIfAborted()
          check(tenant, bytes)
          take(tenant, bytes)
          own += bytes
        },
      }
    },
  }
}
