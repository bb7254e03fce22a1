import { limits } from '../../schema/limits.ts'
import {
  SharedViewParams,
  SharedView,
  UnlockSharedView,
  UnlockedSharedView,
  LeaveViewMail,
  LeftViewMail,
} from '../../views/views.ts'
import { endpoint } from '../endpoint.ts'

const tag = 'Views'
const collection = '/shared-views/:token'

export const sharedViews = {
  read: endpoint({
    id: 'readSharedView',
    call: 'views.readShared',
    method: 'GET',
    path: collection,
    role: 'public',
    triesPerMinute: limits.sharedViewTriesPerMinute,
    tag,
    summary: 'Read the figures of a shared view.',
    description: `Needs no key: the token of the public link is enough. The figures are at most ${limits.sharedViewCacheSeconds} s old, and their form is that of analytics, without identifiers. 401 PASSWORD_REQUIRED until the password was sent to \`unlock\`. One 404 for a link that is unknown, has ended, or whose code was deleted.`,
    params: SharedViewParams,
    status: 200,
    response: SharedView,
    errors: [401, 404],
  }),

  unlock: endpoint({
    id: 'unlockSharedView',
    call: 'views.unlock',
    method: 'POST',
    path: `${collection}/unlock`,
    role: 'public',
    triesPerMinute: limits.signInTriesPerMinute,
    tag,
    summary: 'Send the password of a shared view.',
    description: `A cookie of the answer opens this view in this browser for ${limits.sharedViewHours} h, or until its link or its password changes. After five wrong passwords, each further one from the same network has to wait longer.`,
    params: SharedViewParams,
    body: UnlockSharedView,
    status: 200,
    response: UnlockedSharedView,
    responseHeaders: { 'Set-Cookie': 'Opens the view.' },
    errors: [401, 404],
  }),

  leaveMail: endpoint({
    id: 'leaveViewMail',
    call: 'views.leaveMail',
    method: 'POST',
    path: '/view-mails/leave',
    role: 'public',
    triesPerMinute: limits.signInTriesPerMinute,
    tag,
    summary: 'Take an address off the list of a mailed view.',
    description:
      'With the token of the link in each mail. 404 if the token is none of ours; the answer is the same whether or not the address was still on the list.',
    body: LeaveViewMail,
    status: 200,
    response: LeftViewMail,
    errors: [404],
  }),
}
