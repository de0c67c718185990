// Package eval evaluates Terraform configurations without Terraform: no init,
// no provider, no network.
//
// It knows the language, modules and functions, and nothing about any service;
// what resources compute is told to it by a [Provider].
//
// Evaluation is by demand, attribute by attribute, and remembered. Three ideas
// carry it:
//
//   - A resource is a lazy value. `aws_sqs_queue.q.arn` evaluates one attribute,
//     and passing the whole resource through variables and loops evaluates none.
//   - A string that is decided only at apply, or that nobody has set, is a known
//     stand-in string with a token in it (see [Token]). The token survives
//     templates, jsonencode and most functions, so that links do. Wherever its
//     letters could decide a value, the result is unknown instead.
//   - A collection whose keys are not known has one symbolic element, so that
//     resources over the same unknown collection still find each other.
//
// What is unknown can be explained: [Root.Why] names the first thing that an
// expression lacked.
package eval
