import { deliveryStatuses } from '@everscan/contract/resources/webhooks.ts'
import { eventNames } from '@everscan/contract/resources/events.ts'
import { readPage, readWord } from '../ui/page-search.ts'

/** Search parameters of a webhook's deliveries. */
export type DeliverySearch = {
  page?: number | undefined
  status?: (typeof deliveryStatuses)[number] | undefined
  event?: (typeof eventNames)[number] | undefined
}

export function readDeliverySearch(search: Record<string, unknown>): DeliverySearch {
  return {
    page: readPage(search),
    status: readWord(search['status'], deliveryStatuses),
    event: readWord(search['event'], eventNames),
  }
}
