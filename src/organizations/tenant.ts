/** One organisation in one environment, as shared resources see it. */
export interface Tenant {
  /** Organisation and environment; distinguishes tenants, and appears nowhere outside the process. */
  id: string
  /** Its share of a busy resource, relative to the weights of the other tenants; above 0. */
  weight: number
}

/** The service itself, when it warms up. */
export const SERVICE_TENANT: Tenant = { id: 'service', weight: 1 }
