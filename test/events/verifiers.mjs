// Checks signatures with the packages of those who made the schemes. Prints for each message whether its package accepts it.
import { verify } from '@octokit/webhooks-methods';
import Stripe from 'stripe';
import { Webhook } from 'standardwebhooks';

async function verdictOf({ scheme, secret, body, headers }) {
  try {
    if (scheme === 'standard') new Webhook(secret).verify(body, headers);
    else if (scheme === 'stripe')
      new Stripe('sk_test_x').webhooks.constructEvent(body, headers['stripe-signature'], secret);
    else if (!(await verify(secret, body, headers['x-hub-signature-256']))) throw new Error('it is another one');
    return 'accepted';
  } catch (error) {
    return `refused: ${error.message}`;
  }
}

console.log(JSON.stringify(await Promise.all(JSON.parse(process.argv[2]).map(verdictOf))));
