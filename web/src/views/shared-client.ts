import { createClient } from '@everscan/client/create-client.ts'

/** Calls without a session: those of the dashboard would ask the user to sign in. */
export const sharedViews = createClient({ baseUrl: location.origin }).views
