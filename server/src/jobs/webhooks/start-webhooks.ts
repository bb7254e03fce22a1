import type { Database } from '../../db/database.ts'
import type { Log } from '../../log.ts'
import { eventRecord } from '../../product/records/event-records.ts'
import { createSecretBox } from '../../secret-box.ts'
import type { Config } from '../../settings/settings.ts'
import { startDeliveries, type Deliveries } from './deliver-webhooks.ts'
import { createWebhookCaller } from './webhook-calls.ts'

/** Starts deliveries as the settings have them. Receivers get events as the API returns them. */
export function startWebhooks(db: Database, config: Config, log: Log): Deliveries {
  return startDeliveries({
    db,
    box: createSecretBox(config.secret ?? '', 'webhook secrets'),
    caller: createWebhookCaller({ allowPrivate: config.webhookAllowPrivate }),
    recordOf: (event, place) => eventRecord(event, place, config.publicUrl),
    log,
  })
}
