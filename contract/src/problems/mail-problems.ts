/** Why the mail of a view did not reach every address. `addresses` has commas between them. */
export const mailProblems = {
  mailRefusedTriedAgain: 'The mail server did not take the mail for {addresses}. It is tried again.',
  mailRefused: 'The mail server did not take the mail for {addresses}. It was tried {attempts} times.',
  figuresUnreadTriedAgain: 'The figures could not be read. It is tried again.',
  figuresUnread: 'The figures could not be read. It was tried {attempts} times.',
  codeOfViewDeleted: 'Nothing was sent: the code of this view was deleted.',
  viewMailsUsedUp:
    '{unsent} of {addresses} addresses got no mail: the organization has sent {max} mails of views today, its maximum.',
  mailsStopped:
    'Nothing was sent: the operator of this installation has stopped the mails of your organization.',
  restWaitsForAccount:
    'The rest waits for the next day: who set the mail up has reached the maximum of mails a day.',
  restWaitsForInstallation:
    'The rest waits for the next day: this installation has reached its maximum of mails a day.',
} as const
