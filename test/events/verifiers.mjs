// What receivers check signatures with: the packages of those who made the schemes. Prints whether each takes the message.
import { verify } from '@octokit/webhooks-methods';
import Stripe from 'stripe';
import { Webhook } from 'standardwebhooks';

const { scheme, secret, body, headers } = JSON.parse(process.argv[2]);
try {
  if (scheme === 'standard') new Webhook(secret).verify(body, headers);
  else if (scheme === 'stripe')
    new Stripe('sk_test_x').webhooks.constructEvent(body, headers['stripe-signature'], secret);
  else if (!(await verify(secret, body, headers['x-hub-signature-256']))) throw new Error('it is another one');
  console.log('accepted');
} catch (error) {
  console.log(`refused: ${error.message}`);
}
