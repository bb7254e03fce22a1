import { readAccessReview, type AccessReview } from '../catalogue/organizations/access-review.ts'
import { countText, dayText, someOf } from '../amounts.ts'
import { notice, ok, warning, type Check, type CheckGroup, type Finding } from './check.ts'

const unusedDays = 180

function reviewCheck(name: string, title: string, judge: (review: AccessReview) => Finding): Check {
  return {
    name,
    title,
    run: async ({ catalogue, nowMs }) =>
      judge(await readAccessReview(await catalogue(), { nowMs, unusedDays })),
  }
}

export const peopleChecks: CheckGroup = {
  title: 'Accounts and keys',
  checks: [
    reviewCheck('people.admin-keys', 'ADMIN keys without expiry', ({ endlessAdminKeys: names }) =>
      names.length === 0
        ? ok('none')
        : notice(
            `${countText(names.length, 'key')} can do everything forever: ${someOf(names)}`,
            './everscan keys create NAME --role EDITOR --expires DATE for each use, then ./everscan keys revoke ID',
          ),
    ),
    reviewCheck('people.unused-keys', 'Unused keys', ({ unusedKeys: names }) =>
      names.length === 0
        ? ok(`all were used in the last ${unusedDays} days, or are new`)
        : notice(
            `${countText(names.length, 'key')} not used for ${unusedDays} days: ${someOf(names)}`,
            './everscan keys list, then ./everscan keys revoke ID',
          ),
    ),
    reviewCheck('people.two-factor', 'Second factors', ({ adminsWithoutTwoFactor: emails }) =>
      emails.length === 0
        ? ok('every ADMIN has one')
        : notice(
            `${countText(emails.length, 'ADMIN')} without one: ${someOf(emails)}`,
            'each of them adds one in the dashboard, under Your account: a passkey or an authenticator app',
          ),
    ),
    reviewCheck('people.admins', 'ADMINs', ({ withoutAdmin: slugs }) =>
      slugs.length === 0
        ? ok('every organization has one')
        : warning(
            `no account can manage ${someOf(slugs)}`,
            './everscan users create EMAIL --organization ORGANIZATION --role ADMIN',
          ),
    ),
    reviewCheck('people.sessions', 'Sessions', ({ sessions, accounts, oldestSessionAtMs }) =>
      ok(
        `${countText(sessions, 'session')} of ${countText(accounts, 'account')}` +
          (oldestSessionAtMs === undefined ? '' : `, the oldest since ${dayText(oldestSessionAtMs)}`),
      ),
    ),
    {
      name: 'people.sign-up',
      title: 'SIGN_UP',
      run: ({ config: { signUp, smtpUrl } }) =>
        signUp === 'open' && smtpUrl === undefined
          ? warning(
              'open without SMTP_URL: anyone who reaches this service can create accounts with any address',
              'set SMTP_URL, or SIGN_UP=off and ./everscan users create EMAIL',
            )
          : ok(typeof signUp === 'string' ? signUp : `for ${someOf(signUp)}`),
    },
  ],
}
